namespace scrimp {}
